import type { ComponentChild, ComponentChildren } from 'preact'

/**
 * A sentence with names in it: the direction that one is written in is for it alone.
 *
 * @example
 * notify(said`You have left ${name}.`)
 */
export const said = (words: TemplateStringsArray, ...names: readonly ComponentChild[]): ComponentChildren =>
  words.map((text, i) => [text, i < names.length && <bdi>{names[i]}</bdi>])

/** Names one after the other. */
export const listed = (names: readonly string[]): ComponentChildren =>
  names.map((name, i) => [i > 0 && ', ', <bdi key={name}>{name}</bdi>])
