// Shows the user the refusals of requests.

import { ApiError } from './api.ts'
import { toast } from './dialog.ts'
import { t } from './i18n.ts'

/** Shows a refusal of the sandbox, and rejects with it. */
export async function reported<T>(promise: Promise<T>): Promise<T> {
  try {
    return await promise
  } catch (error) {
    if (error instanceof ApiError) toast(t('notDone', { reason: error.message }), 'error')
    throw error
  }
}
