/** Parses an integer option. @throws Error that names the option */
export const numbered = (option: string, most: number) => (text: string) => {
  if (!/^\d+$/.test(text) || Number(text) > most)
    throw new Error(`--${option}: must be an integer up to ${most}, not ${text}`);
  return Number(text);
};
