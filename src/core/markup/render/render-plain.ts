import type { MarkupContext } from '../context.ts'
import { render } from './render.ts'

/** A context in which no name refers to anything. */
export const emptyContext: MarkupContext = {
  users: new Map(),
  groups: new Map(),
  streams: new Map(),
  customEmoji: new Map(),
  linkifiers: [],
  realmUrl: '',
  translateEmoticons: false,
}

/** Markup that refers to nothing but itself, such as a stream's description, as HTML. */
export const renderPlain = (text: string): string => render(text, emptyContext).html
