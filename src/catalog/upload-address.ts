// Templates of upload addresses: `{generation}` stands for the id of the order. gateway-api.md lists one address per request, so the
// results of one order cannot have separate addresses.

import { z } from 'zod'

/** The request path of the address. */
export const uploadPath = 'uploadEndpoint'

const placeholder = '{generation}'

export const fillUploadAddress = (template: string, generationId: string): string =>
  template.replaceAll(placeholder, generationId)

export const uploadTemplate = z
  .string()
  .refine((text) => z.url({ protocol: /^https?$/ }).safeParse(fillUploadAddress(text, 'g')).success, {
    error: 'an http(s) address',
  })
  .refine((text) => !/[{}]/.test(text.replaceAll(placeholder, '')), {
    error: `the only placeholder is ${placeholder}: one request has one address for all its results`,
  })
