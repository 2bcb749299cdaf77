// Builds elements. Text always becomes a text node; no file of the page parses HTML.

import { shapes } from './icons.ts'

export type IconName = keyof typeof shapes

type TagName = keyof HTMLElementTagNameMap
/** A tag name with classes: `button.icon-button`. */
export type Tag = TagName | `${TagName}.${string}`
type NameOf<T extends Tag> = T extends `${infer Name}.${string}` ? Name : T
type ElementOf<T extends Tag> = NameOf<T> extends TagName ? HTMLElementTagNameMap[NameOf<T>] : never

type AttributeName =
  | ('testid' | 'label' | 'class' | 'id' | 'role' | 'title' | 'dir' | 'tabindex' | 'hidden' | 'popover')
  | ('type' | 'value' | 'checked' | 'selected' | 'disabled' | 'required' | 'maxlength' | 'autocomplete')
  | ('placeholder' | 'rows' | 'min' | 'max' | 'accept' | 'multiple' | 'enterkeyhint' | 'datetime')
  | ('src' | 'alt' | 'loading' | 'href' | 'target' | 'rel' | 'download')
  | ('poster' | 'preload' | 'loop' | 'controls' | 'autoplay' | 'playsinline')
  | `aria-${string}`
  | `data-${string}`

type Listeners = {
  [K in keyof HTMLElementEventMap as `on${K}`]?: (event: HTMLElementEventMap[K]) => unknown
}

type Props = Listeners & {
  [K in AttributeName]?: string | number | boolean | null | undefined
} & { style?: Readonly<Record<string, string>> }

export type Child = Node | string | number | false | null | undefined | readonly Child[]

/**
 * `h('button.icon', { testid: 'send', label: 'Send', onclick }, icon('send'))`. `testid` and `label` are short for
 * `data-testid` and `aria-label`. Attributes and children that are false, null or undefined are left out.
 */
export function h<T extends Tag>(tag: T, props: Props = {}, ...children: Child[]): ElementOf<T> {
  const [name = '', ...classes] = tag.split('.')
  const element = document.createElement(name)
  if (classes.length > 0) element.className = classes.join(' ')
  if (element instanceof HTMLButtonElement) element.type = 'button'
  const entries: [string, unknown][] = Object.entries(props)
  for (const [key, value] of entries) if (key !== 'style') setProp(element, key, value)
  for (const [property, value] of Object.entries(props.style ?? {}))
    element.style.setProperty(property, value)
  element.append(...flatten(children))
  return element as ElementOf<T>
}

function setProp(element: HTMLElement, key: string, value: unknown): void {
  if (value === undefined || value === null || value === false) return
  if (typeof value === 'function') element.addEventListener(key.slice('on'.length), (event) => value(event))
  else element.setAttribute(attributeOf(key), value === true ? '' : String(value))
}

function attributeOf(key: string): string {
  if (key === 'testid') return 'data-testid'
  return key === 'label' ? 'aria-label' : key
}

const flatten = (children: readonly Child[]): (Node | string)[] =>
  children.flatMap((child) => {
    if (child === undefined || child === null || child === false) return []
    if (child instanceof Node) return [child]
    return typeof child === 'object' ? flatten(child) : [String(child)]
  })

/** Replaces the children of an element. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren(...flatten(children))
}

/** The index of the element that has the focus, or -1. */
export const focusedAt = (elements: readonly (Element | null)[]): number =>
  elements.indexOf(document.activeElement)

const svgNamespace = 'http://www.w3.org/2000/svg'

export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS(svgNamespace, 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('class', `icon icon-${name}`)
  svg.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS(svgNamespace, 'path')
  path.setAttribute('d', shapes[name])
  svg.append(path)
  return svg
}

export function iconButton(
  name: IconName,
  label: string,
  testid: string,
  onclick: () => unknown,
  extra: Props = {},
): HTMLButtonElement {
  return h('button.icon-button', { label, title: label, testid, onclick, ...extra }, icon(name))
}

const hues = [207, 262, 12, 152, 330, 38, 188, 240]

/** A round avatar with initials. Its hue follows the id, so it is the same wherever the person or chat is shown. */
export function avatar(name: string, id: number): HTMLElement {
  const initials = name
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase()
  const hue = hues[Math.abs(id) % hues.length]
  return h('span.avatar', { 'aria-hidden': 'true', style: { '--hue': String(hue) } }, initials || '?')
}
