import { pageTexts } from '../../../texts/page-texts.ts'
import { kindName } from '../organization/audit-words.ts'
import type { Report } from './types.ts'

/** Other names of kinds, as readers of exports write them. */
const sameAs: Readonly<Record<string, string>> = {
  room: 'channel',
  post: 'message',
  'file of messages': 'file',
}

/** Returns the name of a kind of records. Kinds that only one source has keep its name. */
export function importKind(kind: string): string {
  const name = (sameAs[kind] ?? kind).replaceAll(' ', '_')
  return pageTexts.importKinds[name as keyof typeof pageTexts.importKinds] ?? kindName(name)
}

/** Returns why records were left out or changed. Other programs write sentences of their own. */
export const importReason = ({ reason, code }: Pick<Report['changed'][number], 'reason' | 'code'>): string =>
  code ? pageTexts.importReasons[code] : reason
