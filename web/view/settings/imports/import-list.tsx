import type { Signal } from '@preact/signals'
import { pageTexts } from '../../../texts/page-texts.ts'
import { texts } from '../../../texts/texts.ts'
import { confirm } from '../../parts/confirm.tsx'
import { fullTime, longAgo } from '../../parts/times.ts'
import { useSession } from '../../session-context.ts'
import { FinishedImport } from './finished-import.tsx'
import type { Imports } from './types.ts'

/** Names are the same in every language. */
const sources: Readonly<Record<string, string>> = {
  zulip: 'Zulip',
  slack: 'Slack',
  mattermost: 'Mattermost',
  rocketchat: 'Rocket.Chat',
  discord: 'Discord',
  jsonl: 'JSON',
}

interface ImportListProps {
  imports: Imports['imports']
  /** The import whose report is shown. */
  opened: Signal<number | undefined>
  /** Whether nothing else is prepared or running. */
  isFree: boolean
  load(): Promise<void>
}

/** The imports so far, with their reports. */
export function ImportList({ imports, opened, isFree, load }: ImportListProps) {
  const { client } = useSession()
  const undo = ({ id, file }: Imports['imports'][number]) =>
    confirm({
      title: pageTexts.imports.undoTitle(file),
      text: pageTexts.imports.undoText,
      action: pageTexts.imports.undo,
      run: async () => {
        await client.undoImport({ import_id: id })
        await load()
      },
    })
  return (
    <>
      <h3>{pageTexts.imports.earlier}</h3>
      {imports.length === 0 && <p class="quiet">{pageTexts.imports.empty}</p>}
      <ul class="settings-list imports">
        {imports.map((one) => (
          <li key={one.id}>
            <span class="name">
              {one.file}
              <span class="quiet small" title={fullTime(new Date(one.started_at * 1000))}>
                {[sources[one.source] ?? one.source, longAgo(one.started_at), stateOf(one)].join(texts.common.comma)}
              </span>
            </span>
            {one.undone_at === null && (
              <button
                type="button"
                aria-expanded={opened.value === one.id}
                aria-label={pageTexts.imports.reportOf(one.file)}
                onClick={() => (opened.value = opened.value === one.id ? undefined : one.id)}
              >
                {pageTexts.imports.report}
              </button>
            )}
            {one.undone_at === null && isFree && (
              <button type="button" aria-label={pageTexts.imports.undoTitle(one.file)} onClick={() => undo(one)}>
                {pageTexts.imports.undo}
              </button>
            )}
            {opened.value === one.id && one.undone_at === null && <FinishedImport import_id={one.id} />}
          </li>
        ))}
      </ul>
    </>
  )
}

function stateOf({ undone_at, finished_at, messages, messages_done }: Imports['imports'][number]): string {
  if (undone_at !== null) return pageTexts.imports.undone
  if (finished_at !== null) return pageTexts.imports.messages(messages)
  return pageTexts.imports.unfinished(pageTexts.imports.countOf(messages_done, messages))
}
