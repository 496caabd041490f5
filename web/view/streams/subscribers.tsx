import { administersStream, type ClientState, isAllowed } from '../../../src/client/index.ts'
import { groupName, membersOf } from '../../model/reading/groups.ts'
import { mayAddOthers } from '../../model/reading/stream-rights.ts'
import { isolated } from '../../model/state/isolated.ts'
import { pageTexts } from '../../texts/page-texts.ts'
import { PeopleInput } from '../compose/people-input.tsx'
import { MemberList } from '../parts/member-list.tsx'
import { attempt, notify, Problem } from '../parts/notices.tsx'
import { useSession } from '../session-context.ts'
import { useAnswer } from '../settings/use-answer.ts'
import { AddGroup } from './add-group.tsx'

interface SubscribersProps {
  stream: ClientState['never_subscribed'][number]
}

/** The subscribers of a stream. Users with the right to do so add users and groups, and remove users. */
export function Subscribers({ stream }: SubscribersProps) {
  const session = useSession()
  const { client } = session
  // The state changes in place, so a component that gets it as a property names the parts it depends on.
  const state = session.read('groups', 'organization', 'streams', 'users')
  const { stream_id, name } = stream
  const { answer, problem, load } = useAnswer(() => client.getSubscribers({ stream_id }), 'subscribers')
  const mayRemove = administersStream(state, stream) || isAllowed(state, stream.can_remove_subscribers_group)
  const change = (work: () => Promise<unknown>) =>
    attempt(async () => {
      await work()
      await load()
    })
  const add = (principals: readonly number[]) =>
    change(() => client.subscribe({ subscriptions: [{ name }], principals: [...principals] }))
  const addGroup = (id: number) => {
    const members = membersOf(state, id)
    // Nobody would be understood as oneself.
    if (members.length === 0) return notify(pageTexts.channel.groupEmpty(isolated(groupName(session, id))))
    add(members)
    notify(pageTexts.channel.groupAdded(isolated(groupName(session, id))))
  }
  const ids = answer.value?.subscribers ?? []
  return (
    <section aria-label={pageTexts.channel.members}>
      {answer.value && <p class="quiet">{pageTexts.people.count(ids.length)}</p>}
      <Problem of={problem} />
      {mayAddOthers(state, stream) && (
        <div class="member-set">
          <PeopleInput
            label={pageTexts.common.addPerson}
            placeholder={pageTexts.common.addPerson}
            user_ids={[]}
            onChange={add}
          />
          <AddGroup onAdd={addGroup} />
        </div>
      )}
      <MemberList
        user_ids={ids}
        onRemove={
          mayRemove && ((user_id) => change(() => client.unsubscribe({ subscriptions: [name], principals: [user_id] })))
        }
      />
    </section>
  )
}
