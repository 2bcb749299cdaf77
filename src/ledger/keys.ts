// The keys of transfers. A key names one operation, which can be done only once. Code that looks for a transfer builds its key here.

type Key = (what: string) => string

/** The refund of an order, or of a payment, which `chargeName` names. */
export const refundKey: Key = (what) => `refund:${what}`
/** The refund of a further part of an order. Earlier versions wrote `rest` in place of the sum. @param before what was refunded before */
export const nextRefundKey = (order: string, before: bigint): string => `${refundKey(order)}:${before}`
export const depositKey: Key = (charge) => `deposit:${charge}`
export const correctionKey: Key = (what) => `correction:${what}`
export const welcomeKey: Key = (userId) => `welcome:${userId}`
export const referralKey: Key = (invitedId) => `referral:${invitedId}`
/** The bonus of the invited user. */
export const invitedKey: Key = (userId) => `invited:${userId}`
/** The bonus for an invitation, taken again because the payments of the invited user were given back. */
export const referralBackKey: Key = (invitedId) => `referral-back:${invitedId}`
/** A bonus or commission that a payment earned. @param of the charge of the payment; for `referral` the id of the invited user */
export const rewardKey = (name: RewardName, of: string): string => `${name}:${of}`
export type RewardName = 'bonus' | 'code' | 'partner' | 'referral'
/** A part of a reward that goes with a refund. @param before what was taken before: of two that have read the same sum one is made */
export const rewardBackKey = (name: RewardName, of: string, before: bigint): string =>
  name === 'referral' ? referralBackKey(of) : `${name}-back:${of}#${before}`
export const promoKey = (code: string, userId: bigint): string => `promo:${code}:${userId}`
export const fundKey: Key = (what) => `fund:${what}`
export const takeBackKey: Key = (what) => `take-back:${what}`

/** The name of a turn in keys. The name of a generation is its id. */
export const turnName = (id: string): string => `turn:${id}`
export const chargeName = (provider: string, chargeId: string): string => `${provider}:${chargeId}`

export const hasKeyOf = (key: Key, text: string): boolean => text.startsWith(key(''))

/** What a key names; the text itself if it is no key of this kind. */
export const nameIn = (key: Key, text: string): string =>
  hasKeyOf(key, text) ? text.slice(key('').length) : text

/** A pattern for `like`: the keys of bonuses for invitations, and of those that were taken again. */
export const likeReferral = 'referral%'

/** A pattern for `like` that matches all keys of this kind. */
export const likeKey = (key: Key): string => key('%')
