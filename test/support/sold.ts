// An installation that sells everything: all models, a text model and top-ups.

import { createCatalog } from '../../src/catalog/catalog.ts'
import { models } from '../../src/catalog/index.ts'
import { textModelList } from '../../src/catalog/text-models.ts'
import { withGatewayIds } from '../../src/sandbox/gateway-ids.ts'

export const everythingSold = {
  catalog: createCatalog(models, withGatewayIds()),
  textModels: textModelList.parse([{ id: 'gpt', family: 'gpt', rates: { input: '165', output: '1320' } }]),
  topUps: { providers: ['stars'] },
}
