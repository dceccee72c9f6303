/** Texts in which upper and lower case are, or may be, equivalent: hexadecimal digits and UUIDs, ULIDs, base32. */
const FORMS = [/^[0-9a-f-]*$/i, /^[0-9A-HJKMNP-TV-Z]{26}$/, /^[2-7A-Z]*=*$/];

/** Whether the text may mean the same with its case swapped. */
export const isCaseless = (text: string): boolean => FORMS.some((form) => form.test(text));

/** The text with the case of every letter swapped. */
export const inOtherCase = (text: string): string =>
  [...text].map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase())).join('');
