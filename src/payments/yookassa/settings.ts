// The settings of YooKassa: a shop and its secret key, which come together or not at all.

import { z } from 'zod'
import { httpUrl, whenValid } from '../../runtime/env-values.ts'
import { commission } from '../provider.ts'

export interface YookassaSettings {
  readonly shopId: string
  readonly secretKey: string
  readonly url: string
  /** The commission in percent; undefined when it is not known. */
  readonly taken?: string | undefined
}

const credentials = z.object({
  YOOKASSA_SHOP_ID: z
    .string()
    .regex(/^\d{3,12}$/, 'write the shop number from the YooKassa cabinet')
    .optional(),
  YOOKASSA_SECRET_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'write the secret key from the YooKassa cabinet')
    .optional(),
})

export const yookassaEnvironment = credentials
  .extend({ YOOKASSA_URL: httpUrl.default('https://api.yookassa.ru/v3'), YOOKASSA_COMMISSION: commission })
  .refine((value) => (value.YOOKASSA_SHOP_ID === undefined) === (value.YOOKASSA_SECRET_KEY === undefined), {
    path: ['YOOKASSA_SECRET_KEY'],
    error: 'write both YOOKASSA_SHOP_ID and YOOKASSA_SECRET_KEY, or neither',
    when: whenValid(credentials),
  })
  .transform((value): YookassaSettings | undefined => {
    const { YOOKASSA_SHOP_ID: shopId, YOOKASSA_SECRET_KEY: secretKey, YOOKASSA_URL: url } = value
    const taken = value.YOOKASSA_COMMISSION
    return shopId && secretKey ? { shopId, secretKey, url, taken } : undefined
  })
