import { after, nextTurn, type Soon } from '../../../storage/index.ts'
import { groupGraph } from '../../access/group-graph.ts'
import { MAX_MESSAGE_BYTES } from '../../kernel/base/limits.ts'
import type { Caller } from '../../kernel/context.ts'
import { badRequest } from '../../kernel/errors.ts'
import type { Rendered } from '../../markup/context.ts'
import { render } from '../../markup/render/render.ts'
import { filtersMatching, type Matches } from '../../review/filters/require.ts'
import { inGroups, textsIn } from '../../review/texts-in.ts'
import type { Stream } from '../../streams/access.ts'
import { renderContext } from './render-context.ts'

export interface Prepared {
  content: string
  rendered: Rendered
  /** Its first submessage, unless the text says it. */
  widget?: string
  /** The filters of the organization that match. */
  matches: Matches
}

/** Returns a prepared message that starts a widget, whose first submessage this is. */
export async function withWidget(caller: Caller, prepared: Prepared, widget: string): Promise<Prepared> {
  const matches = new Set(prepared.matches)
  for (const text of inGroups(textsIn(JSON.parse(widget)), MAX_MESSAGE_BYTES)) {
    for (const filter of await filtersMatching(caller, text)) matches.add(filter)
    // A widget may be a hundred times as long as a message.
    await nextTurn()
  }
  return { ...prepared, widget, matches: [...matches] }
}

/**
 * Checks and renders a message's text. Call it before the write, never inside. It only reads.
 *
 * @param streams - streams that the text may link to even if its writer can't read them
 */
export function prepare(caller: Caller, content: string, streams?: readonly Stream[]): Soon<Prepared> {
  const bytes = Buffer.byteLength(content)
  const { messageBytes } = caller.chat.options.limits
  if (bytes > messageBytes && !caller.user.is_system_bot)
    throw badRequest(`Message is too long: ${bytes} bytes, at most ${messageBytes}`)
  if (content.trim() === '') throw badRequest('Message must not be empty')
  return after(renderContext(caller, content, streams), (context) => {
    const rendered = render(content, context)
    // After a change, loading the members of groups takes long, so it must not happen inside the write.
    const groups = rendered.mentionedGroupIds.length > 0 ? groupGraph.get(caller) : undefined
    return after(groups, () =>
      after(filtersMatching(caller, content, rendered.html), (matches) => ({ content, rendered, matches })),
    )
  })
}
