import { type GroupGraph, groupGraph } from '../access/group-graph.ts'
import { type OpenJson, openJson } from '../base/kept-json.ts'
import type { Caller } from '../context.ts'
import type { Stream } from './access.ts'
import { streamView } from './view.ts'

/** Texts already made; they go with the rows and the groups they were made of. */
const made = new WeakMap<readonly Stream[], WeakMap<GroupGraph, Map<number, OpenJson>>>()

/** Returns what gives the text of one of these streams, made once for all readers until a stream or a group changes. */
export async function streamTexts(reader: Caller, streams: readonly Stream[]): Promise<(stream: Stream) => OpenJson> {
  const graph = await groupGraph.get(reader)
  const byGraph = made.get(streams) ?? new WeakMap<GroupGraph, Map<number, OpenJson>>()
  made.set(streams, byGraph)
  const texts = byGraph.get(graph) ?? new Map<number, OpenJson>()
  byGraph.set(graph, texts)
  return (stream) => {
    const known = texts.get(stream.id)
    if (known) return known
    const text = openJson(streamView(stream, graph))
    texts.set(stream.id, text)
    return text
  }
}
