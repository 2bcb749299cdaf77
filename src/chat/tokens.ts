// How many tokens something may be. Nobody but the vendor can count them; these are estimates on the safe side for holds,
// and what is billed where the gateway tells no usage.

/** Four bytes a token for plain English, about two letters for Russian, about one for Chinese: never far below the truth. */
export const tokensIn = (text: string): number => Math.ceil(Buffer.byteLength(text) / 3.5)

/** What vendors count for a picture is of this size. */
export const tokensOfImage = 1500

/** Roles, separators and the frame of a request. */
export const tokensOfMessage = 8
