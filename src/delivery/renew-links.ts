// Links of the gateway expire, for example during a long outage of Telegram. A file whose link is dead is downloaded from the link that
// its task names now.

import type { Artifact } from '../generations/generation.ts'
import { linksNow } from '../generations/task-links.ts'
import type { DeliveryDeps, DeliveryJob } from './job.ts'
import { isLastTry } from './refund-missing.ts'
import { ArtifactUnavailable } from './send-artifact.ts'
import { recordLink } from './sent-artifacts.ts'

/** Returns the artifact with another link; undefined when there is none. */
export type Renew = (artifact: Artifact, error: unknown) => Promise<Artifact | undefined>

/** For one attempt: the task is read once, however many links are dead. */
export function createRenewal(deps: DeliveryDeps, { generation, artifacts }: DeliveryJob): Renew {
  let reading: Promise<readonly string[]> | undefined
  return async (artifact, error) => {
    if (!mayHaveExpired(error) || !(artifact.misses === 0 || isLastTry(artifact, generation)))
      return undefined
    reading ??= linksNow(deps, generation)
    const links = await reading
    const url = links[artifact.position]
    // Of another number of links it is not known which file each leads to.
    if (links.length !== artifacts.length || url === undefined || url === artifact.url) return undefined
    await recordLink(deps, artifact, url)
    deps.log.info({ generation: generation.id, position: artifact.position }, 'a link was renewed')
    return { ...artifact, url }
  }
}

const mayHaveExpired = (error: unknown): boolean =>
  error instanceof ArtifactUnavailable && (error.reason === 'gone' || error.reason === 'refused')
