import { jsonl } from './jsonl.ts'
import type { Reader } from './reader.ts'
import { slack } from './slack.ts'

/** The first that recognizes an archive reads it. */
export const readers: readonly Reader[] = [jsonl, slack]
