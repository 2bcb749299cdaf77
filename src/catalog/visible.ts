// Whether a text has visible characters: spaces of any width, marks without a letter, fillers and direction marks are invisible.

const seen = /[^\p{Z}\p{Cc}\p{Cf}\p{Cn}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u

/** The text without white space around it; empty if no character of it is visible. */
export const visible = (text: string): string => (seen.test(text) ? text.trim() : '')
