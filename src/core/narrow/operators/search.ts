import type { Caller } from '../../kernel/context.ts'
import { dialectOf } from '../../kernel/store.ts'
import { isStopWord } from '../search/stop-words.ts'
import { searchForm } from '../search/text.ts'
import type { Predicate } from './predicate.ts'
import { ofTopics } from './streams.ts'
import { badNarrow, type Operand } from './terms.ts'

const MAX_PARTS = 32

/** `"a phrase" and words`: each phrase and each word is a part, but for stop words where there is anything else. */
export function searchParts(operand: string): string[] {
  const parts = new Set<string>()
  const telling = new Set<string>()
  for (const [part] of operand.matchAll(/"[^"]*"|[^\s"]+/g)) {
    const form = searchForm(part.replaceAll('"', ''))
    if (!form) continue
    parts.add(form)
    if (part.startsWith('"') || !isStopWord(form)) telling.add(form)
  }
  return [...(telling.size > 0 ? telling : parts)].slice(0, MAX_PARTS)
}

/** Messages in whose text or topic every part occurs. */
export async function containing(caller: Caller, operand: Operand): Promise<Predicate> {
  const parts = typeof operand === 'object' ? [] : searchParts(String(operand))
  if (parts.length === 0) throw badNarrow('empty search')
  const { search } = dialectOf(caller.chat)
  const topics = await topicsWithAny(caller, parts)
  const named = parts.map((part) => topics.filter((topic) => topic.key.includes(part)).map((topic) => topic.id))
  return {
    sql: (row) =>
      row.and(
        parts.map((part, i) =>
          row.or([
            ...(named[i]!.length > 0 ? [ofTopics(caller, row, named[i]!)] : []),
            search.contains(search.textOf(row.ref('message.id')), part),
          ]),
        ),
      ),
    matches: (message) =>
      parts.every((part) => message.topic_key?.includes(part) || message.search_text().includes(part)),
    // Matching messages have every part in the text, or at least one in the topic's name.
    // One or two letters are not selective.
    ...(search.candidates(parts) && {
      sources: [
        { by: 'text', parts },
        { by: 'topic_id', topics },
      ],
    }),
    parts,
  }
}

async function topicsWithAny(
  caller: Caller,
  parts: readonly string[],
): Promise<{ id: number; stream_id: number; key: string }[]> {
  const { search } = dialectOf(caller.chat)
  return caller.db
    .selectFrom('topic')
    .select(['id', 'stream_id', 'name_key as key'])
    .where((eb) => eb.or(parts.map((part) => search.contains(eb.ref('name_key'), part))))
    .execute()
}
