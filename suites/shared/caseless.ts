/** Texts whose letters name the same in either case, or may: hexadecimal digits and UUIDs, ULIDs, base32. */
const FORMS = [/^[0-9a-f-]*$/i, /^[0-9A-HJKMNP-TV-Z]{26}$/, /^[2-7A-Z]*=*$/];

/** Whether the same text in another case of letters may well be the same. */
export const isCaseless = (text: string): boolean => FORMS.some((form) => form.test(text));

/** The text with each letter in the other case. */
export const inOtherCase = (text: string): string =>
  [...text].map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase())).join('');
