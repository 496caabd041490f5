import { administersStream } from '../../../src/client/index.ts'
import { narrowAddress } from '../../model/state/address.ts'
import { isolated } from '../../model/state/isolated.ts'
import { pageTexts } from '../../texts/page-texts.ts'
import { attempt, notify, Problem } from '../parts/notices.tsx'
import { StreamMark } from '../parts/stream-mark.tsx'
import { useSession } from '../session-context.ts'
import { useAnswer } from '../settings/use-answer.ts'

/** Archived streams. They can be read, and their administrators can unarchive them. */
export function ArchivedStreams() {
  const session = useSession()
  const { client } = session
  const state = session.read('groups', 'users')
  const ask = () => client.listStreams({ exclude_archived: false, include_all: true })
  const { answer, problem } = useAnswer(ask, 'streams')
  const archived = answer.value?.streams.filter(({ is_archived }) => is_archived) ?? []
  const bringBack = (stream_id: number, name: string) =>
    attempt(async () => {
      await client.updateStream({ stream_id, is_archived: false })
      notify(pageTexts.channel.unarchived(isolated(name)))
    })
  return (
    <>
      <Problem of={problem} />
      <ul class="streams" aria-label={pageTexts.channels.archived}>
        {archived.map((stream) => {
          const { stream_id, name, description } = stream
          return (
            <li key={stream_id}>
              <a class="row" href={narrowAddress([{ operator: 'channel', operand: stream_id }], undefined, () => name)}>
                <StreamMark stream={stream} />
                <span class="name">
                  {name}
                  <span class="quiet small">{description}</span>
                </span>
              </a>
              {administersStream(state, stream) && (
                <button
                  type="button"
                  aria-label={pageTexts.channel.unarchiveName(name)}
                  onClick={() => bringBack(stream_id, name)}
                >
                  {pageTexts.channel.unarchive}
                </button>
              )}
            </li>
          )
        })}
      </ul>
      {answer.value && archived.length === 0 && <p class="quiet">{pageTexts.channel.noneArchived}</p>}
    </>
  )
}
