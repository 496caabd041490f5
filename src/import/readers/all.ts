import { discord } from './discord.ts'
import { jsonl } from './jsonl.ts'
import { mattermost } from './mattermost.ts'
import type { Reader } from './reader.ts'
import { rocketchat } from './rocketchat.ts'
import { slack } from './slack.ts'
import { zulip } from './zulip.ts'

/** The first that recognizes an archive reads it. */
export const readers: readonly Reader[] = [jsonl, zulip, slack, mattermost, rocketchat, discord]
