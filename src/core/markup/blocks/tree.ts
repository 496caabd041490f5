/** A part of the page between its paragraphs and lists. */
export type Block = Element | Code | Formulas | Spoiler | Tail

/** An element with its own text, blocks, or both: a list item can have text and a nested list. */
export interface Element {
  kind: 'element'
  tag: string
  attributes?: Readonly<Record<string, string>>
  /** As typed; the inline rules turn it into HTML. */
  text: string
  blocks: Block[]
}

export interface Code {
  kind: 'code'
  language: string
  text: string
  /** Indented code continues after a blank line. */
  indented?: boolean
}

export interface Formulas {
  kind: 'formulas'
  text: string
}

export interface Spoiler {
  kind: 'spoiler'
  header: string
  blocks: Block[]
}

/** Text that follows a block inside the same item. */
export interface Tail {
  kind: 'tail'
  text: string
}

export const element = (tag: string, text = '', blocks: Block[] = []): Element => ({
  kind: 'element',
  tag,
  text,
  blocks,
})

/** Appends an element to another and returns it. */
export function append(parent: Element, tag: string, text = ''): Element {
  const child = element(tag, text)
  parent.blocks.push(child)
  return child
}

/** The last child if it is an element; other kinds of blocks end lists. */
export function lastElement({ blocks }: Element): Element | undefined {
  const last = blocks.at(-1)
  return last?.kind === 'element' ? last : undefined
}

export const isList = (block: Element | undefined): block is Element & { tag: 'ul' | 'ol' } =>
  block?.tag === 'ul' || block?.tag === 'ol'
