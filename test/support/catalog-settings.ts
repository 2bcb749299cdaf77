// The settings of models as an operator writes them, without the file that holds them.

import { z } from 'zod'
import { type CatalogSettings, modelSettings } from '../../src/catalog/settings.ts'

export const catalogSettings: z.ZodType<CatalogSettings> = z.record(z.string(), modelSettings)
