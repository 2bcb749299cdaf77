// References of MODEL-VIDEO-REEL: groups of images and one video, each with a tag for the prompt.

import { z } from 'zod'
import type { Attachment } from './attachment.ts'
import type { Flat, Label } from './field.ts'
import { imageSchema, linkSchema, media } from './media.ts'

const tag = z.string().startsWith('@')
/** Tags for files without one. */
const usualTag = { group: '@1', video: '@video' } as const

const mostGroups = 3
const mostImages = 5

const group = z.strictObject({
  type: z.enum(['image', 'grid']),
  images: z.array(imageSchema).min(1).max(mostImages),
  tag,
  audio: linkSchema.exactOptional(),
})

type Group = z.output<typeof group>

const groups = z
  .array(group)
  .min(1)
  .max(mostGroups)
  .refine(([first, ...rest]) => rest.every(({ type }) => type === first?.type && type !== 'grid'), {
    error: 'all groups are of type image, or there is one of type grid',
  })
  // gateway-api.md does not require different tags, but a prompt could not refer to one of two groups with the same tag.
  .refine((all) => new Set(all.map((one) => one.tag)).size === all.length, { error: 'tags must differ' })

const byTag = (attachments: readonly Attachment[]) =>
  Map.groupBy(attachments, ({ note }) => note ?? usualTag.group)

const only = (medium: Attachment['medium'], attachments: readonly Attachment[]) =>
  attachments.filter((one) => one.medium === medium)

/** Whether the files with one tag make a group: images, and at most one voice. */
function isGroup(attachments: readonly Attachment[]): boolean {
  const images = only('image', attachments).length
  return images >= 1 && images <= mostImages && only('audio', attachments).length <= 1
}

/** The field for groups of references. Images are sent inside the request, a voice as a link. @param max the most groups */
function groupsField(
  name: string,
  type: Group['type'],
  max: number,
  spec: { label: Label; hint: Label; media: readonly ['image', 'audio'] | readonly ['image'] },
) {
  return media(
    name,
    { 'inputs.referenceImages': groups },
    {
      ...spec,
      audience: 'advanced',
      via: 'data',
      caption: 'tag',
      max: max * (mostImages + spec.media.length - 1),
      ...(spec.media.length > 1 ? { maxSeconds: 15 } : {}),
      fits: (attachments) => {
        const made = [...byTag(attachments)]
        const tagged = made.every(([name]) => tag.safeParse(name).success)
        return tagged && made.length <= max && made.every(([, members]) => isGroup(members))
      },
    },
    (attachments, url): Flat => ({
      'inputs.referenceImages': [...byTag(attachments)].map(([name, members]) => {
        const [sound] = only('audio', members)
        const images = only('image', members).map((one) => url(one))
        return { type, images, tag: name, ...(sound ? { audio: url(sound, 'link') } : {}) }
      }),
    }),
  )
}

const videos = z
  .array(z.strictObject({ type: z.enum(['reference', 'extend']), video: linkSchema, tag }))
  .length(1)

function videoField(name: string, type: 'reference' | 'extend', spec: { label: Label; hint: Label }) {
  return media(
    name,
    { 'inputs.referenceVideos': videos },
    {
      ...spec,
      audience: 'advanced',
      media: ['video'],
      via: 'link',
      caption: 'tag',
      maxSeconds: 15,
      minPixels: 1_866_240,
      fits: ([one, ...more]) => more.length === 0 && tag.safeParse(one?.note ?? usualTag.video).success,
    },
    ([one], url): Flat =>
      one ? { 'inputs.referenceVideos': [{ type, video: url(one), tag: one.note ?? usualTag.video }] } : {},
  )
}

export const referenceFields = [
  groupsField('references', 'image', mostGroups, {
    label: 'field-characters-and-references',
    hint: 'hint-reel-references',
    media: ['image', 'audio'],
  }),
  groupsField('collage', 'grid', 1, {
    label: 'field-collage',
    hint: 'hint-reel-collage',
    media: ['image'],
  }),
  videoField('continueVideo', 'extend', {
    label: 'field-continue-a-video',
    hint: 'hint-reel-continue-video',
  }),
  videoField('exampleVideo', 'reference', {
    label: 'field-video-as-an-example',
    hint: 'hint-reel-example-video',
  }),
] as const
