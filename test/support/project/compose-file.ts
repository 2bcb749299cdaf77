// Reads compose.yaml as Docker Compose does: with merged anchors, and with the names of the variables that it takes from the shell or
// `.env`.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'

const text = readFileSync(join(import.meta.dirname, '../../../compose.yaml'), 'utf8')

const service = z.looseObject({
  image: z.string(),
  build: z.string().optional(),
  pull_policy: z.string().optional(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  env_file: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  tmpfs: z.array(z.string()).default([]),
  profiles: z.array(z.string()).default([]),
  read_only: z.boolean().default(false),
  cap_drop: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  stop_grace_period: z.string().optional(),
  depends_on: z
    .union([z.array(z.string()), z.record(z.string(), z.unknown()).transform(Object.keys)])
    .default([]),
})
const file = z.looseObject({
  services: z.record(z.string(), service),
  volumes: z.record(z.string(), z.null()),
})

export const { services, volumes } = file.parse(parse(text, { merge: true }))

/** The services that run the app's image. */
export const ours = Object.entries(services).filter(([, { image }]) => image === 'generation-bot')

/** The names of variables in `${…}`. */
export const wanted: readonly string[] = [
  ...new Set([...text.matchAll(/(?<!\$)\$\{(\w+)/g)].map(([, name = '']) => name)),
]
