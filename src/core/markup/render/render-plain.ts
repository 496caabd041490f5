import type { MarkupContext } from '../context.ts'
import { render } from './render.ts'

/** A context in which no name refers to anything. */
export const emptyContext: MarkupContext = {
  users: new Map(),
  groups: new Map(),
  streams: new Map(),
  customEmoji: new Map(),
  images: new Map(),
  linkifiers: [],
  realmUrl: '',
  translateEmoticons: false,
}

/** Renders markup in which no references are resolved, such as a stream's description. */
export const renderPlain = (text: string): string => render(text, emptyContext).html
