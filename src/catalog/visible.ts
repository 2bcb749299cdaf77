// What can be seen of a text: spaces of any width, marks without a letter, fillers and direction marks show nothing.

const seen = /[^\p{Z}\p{Cc}\p{Cf}\p{Cn}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u

/** The text without white space around it; empty if nothing of it can be seen. */
export const visible = (text: string): string => (seen.test(text) ? text.trim() : '')
