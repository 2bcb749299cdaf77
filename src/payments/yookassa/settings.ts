// The settings of YooKassa: a shop and its secret key, which come together or not at all.

import { z } from 'zod'
import { httpUrl, whenValid } from '../../runtime/env-values.ts'

export interface YookassaSettings {
  readonly shopId: string
  readonly secretKey: string
  readonly url: string
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
  .extend({ YOOKASSA_URL: httpUrl.default('https://api.yookassa.ru/v3') })
  .refine((value) => (value.YOOKASSA_SHOP_ID === undefined) === (value.YOOKASSA_SECRET_KEY === undefined), {
    path: ['YOOKASSA_SECRET_KEY'],
    error: 'write both YOOKASSA_SHOP_ID and YOOKASSA_SECRET_KEY, or neither',
    when: whenValid(credentials),
  })
  .transform((value): YookassaSettings | undefined => {
    const { YOOKASSA_SHOP_ID: shopId, YOOKASSA_SECRET_KEY: secretKey, YOOKASSA_URL: url } = value
    return shopId && secretKey ? { shopId, secretKey, url } : undefined
  })
