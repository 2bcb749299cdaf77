// Builds elements. Text always becomes a text node: nothing here or elsewhere parses foreign HTML.

import { shapes } from './icons.ts'

const svgNamespace = 'http://www.w3.org/2000/svg'

/**
 * `h('button.icon', { testid: 'send', label: 'Send', onclick }, icon('send'))`.
 * Keys that start with `on` are listeners, `testid` and `label` are short for `data-testid` and `aria-label`, `style`
 * is an object of CSS properties; false, null and undefined attributes and children are left out.
 * @param {string} tag name with classes
 * @param {Record<string, unknown>} [props]
 * @param {...(Node | string | number | false | null | undefined | unknown[])} children
 * @returns {object}
 */
export function h(tag, props = {}, ...children) {
  const [name, ...classes] = tag.split('.')
  const element = document.createElement(name)
  if (classes.length > 0) element.className = classes.join(' ')
  if (name === 'button') element.type = 'button'
  for (const [key, value] of Object.entries(props)) setProp(element, key, value)
  element.append(...tidy(children))
  return element
}

const short = { testid: 'data-testid', label: 'aria-label' }

function setProp(element, key, value) {
  if (value === undefined || value === null || value === false) return
  if (key.startsWith('on')) element.addEventListener(key.slice(2), value)
  else if (key === 'style')
    for (const [name, one] of Object.entries(value)) element.style.setProperty(name, one)
  else element.setAttribute(short[key] ?? key, value === true ? '' : String(value))
}

const tidy = (children) =>
  children
    .flat(Infinity)
    .filter((child) => child !== undefined && child !== null && child !== false)
    .map((child) => (child instanceof Node ? child : String(child)))

/** Replaces what is inside an element. */
export function fill(element, ...children) {
  element.replaceChildren(...tidy(children))
}

/** @param {keyof typeof shapes} name */
export function icon(name) {
  const svg = document.createElementNS(svgNamespace, 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('class', `icon icon-${name}`)
  svg.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS(svgNamespace, 'path')
  path.setAttribute('d', shapes[name])
  svg.append(path)
  return svg
}

export function iconButton(name, label, testid, onclick, extra = {}) {
  return h('button.icon-button', { label, title: label, testid, onclick, ...extra }, icon(name))
}

const hues = [207, 262, 12, 152, 330, 38, 188, 240]

/** A round avatar with initials; the hue follows the id, so a person keeps theirs. */
export function avatar(name, id) {
  const initials = name
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase()
  const hue = hues[Math.abs(Number(id)) % hues.length]
  return h('span.avatar', { 'aria-hidden': 'true', style: { '--hue': String(hue) } }, initials || '?')
}
