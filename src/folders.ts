// Paths of files that the app reads or starts at run time. They are valid from `src` and from `built`, the bundle of `npm run build`: both
// are folders of the project, this file is at the top of both, and scripts have the same paths in both.

import { extname, join } from 'node:path'

const project = join(import.meta.dirname, '..')

export const localesFolder = join(project, 'src/bot/locales')
export const migrationsFolder = join(project, 'drizzle')

const extension = extname(import.meta.filename)

/** @param path in `src`, without its extension */
export const programScript = (path: string): URL => new URL(`./${path}${extension}`, import.meta.url)
