// The ids under which the local gateway knows the models. Outside of the sandbox only the operator knows the real ones.

import { models } from '../catalog/index.ts'
import { type CatalogSettings, defaultModelSettings } from '../catalog/settings.ts'

/** The settings with a gateway id for each model. */
export const withGatewayIds = (settings: CatalogSettings = {}): CatalogSettings => ({
  ...Object.fromEntries(Object.entries(settings).map(([id, one]) => [id, { gatewayId: id, ...one }])),
  ...Object.fromEntries(
    models.map(({ id, gatewayId = id }) => [id, { gatewayId, ...(settings[id] ?? defaultModelSettings) }]),
  ),
})
