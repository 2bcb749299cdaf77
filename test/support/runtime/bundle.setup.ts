// Makes one bundle per test run. child.ts starts the programs of the app from it, as the image does, which takes less processor time.

import type { TestProject } from 'vitest/node'
import { makeBundle } from '../project/bundle.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the bundle. */
    bundle: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const bundle = await makeBundle()
  project.provide('bundle', bundle.folder)
  project.onTestsRerun(bundle.renew)
  return bundle.remove
}
