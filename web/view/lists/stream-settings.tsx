import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { administersStream } from '../../../src/client/index.ts'
import { nameOf } from '../../model/reading/people.ts'
import { go } from '../../model/state/route.ts'
import { Avatar } from '../parts/avatar.tsx'
import { confirm } from '../parts/confirm.tsx'
import { reasonOf } from '../parts/notices.tsx'
import { useSession } from '../session-context.ts'
import { CheckField, TextField } from '../settings/field.tsx'
import { ListPage } from './list-page.tsx'

/** One stream: what it is, for those who may change it, and who is in it. */
export function StreamSettings({ stream_id }: { stream_id: number }) {
  const session = useSession()
  const { client } = session
  const state = session.read('streams', 'organization', 'groups', 'users')
  const stream = [...state.subscriptions, ...state.unsubscribed, ...state.never_subscribed].find(
    (one) => one.stream_id === stream_id,
  )
  if (!stream || stream.is_archived) return <ListPage title="Stream">There is no such stream, or not for you.</ListPage>
  const { name, description, invite_only } = stream
  const mayChange = administersStream(state, stream)
  const archive = () =>
    confirm({
      title: `Archive ${name}?`,
      text: 'It leaves all lists, and nothing can be written in it. Who could read it can go on reading.',
      action: 'Archive',
      run: async () => {
        await client.archiveStream({ stream_id })
        go('#streams')
      },
    })
  return (
    <ListPage
      title={name}
      actions={
        mayChange && (
          <button type="button" onClick={archive}>
            Archive
          </button>
        )
      }
    >
      {mayChange ? (
        <>
          <TextField
            label="Name"
            value={name}
            maxLength={state.max_stream_name_length}
            save={(new_name) => client.updateStream({ stream_id, new_name })}
          />
          <TextField
            label="What it is about"
            value={description}
            maxLength={state.max_stream_description_length}
            save={(text) => client.updateStream({ stream_id, description: text })}
          />
          <CheckField
            label="Private"
            about="Only who is invited sees that it exists."
            value={invite_only}
            save={(is_private) => client.updateStream({ stream_id, is_private })}
          />
        </>
      ) : (
        <p class="quiet">{description || 'It has no description.'}</p>
      )}
      <Subscribers stream_id={stream_id} name={name} mayRemove={mayChange} />
    </ListPage>
  )
}

interface SubscribersProps {
  stream_id: number
  name: string
  mayRemove: boolean
}

function Subscribers({ stream_id, name, mayRemove }: SubscribersProps) {
  const session = useSession()
  const { client } = session
  const ids = useSignal<readonly number[]>([])
  const problem = useSignal('')
  const load = async () => {
    try {
      ids.value = (await client.getSubscribers({ stream_id })).subscribers
      problem.value = ''
    } catch (error) {
      problem.value = reasonOf(error)
    }
  }
  useEffect(() => void load(), [client, stream_id])
  const remove = async (user_id: number) => {
    try {
      await client.unsubscribe({ subscriptions: [name], principals: [user_id] })
      await load()
    } catch (error) {
      problem.value = reasonOf(error)
    }
  }
  return (
    <section aria-labelledby="subscribers">
      <h2 id="subscribers">Subscribers</h2>
      <p class="problem" role="alert">
        {problem.value}
      </p>
      <ul class="settings-list">
        {ids.value.map((user_id) => (
          <li key={user_id}>
            <Avatar user_id={user_id} size={28} />
            <span class="name">{nameOf(session, user_id)}</span>
            {mayRemove && (
              <button
                type="button"
                aria-label={`Remove ${nameOf(session, user_id)}`}
                onClick={() => void remove(user_id)}
              >
                Remove
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
