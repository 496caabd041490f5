import { useSignal } from '@preact/signals'
import { hasPermission } from '../../../../src/client/index.ts'
import { userGroups } from '../../../model/reading/groups.ts'
import { go } from '../../../model/state/route.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { PeopleInput } from '../../compose/people-input.tsx'
import { Disclosure } from '../../parts/disclosure.tsx'
import { useSession } from '../../session-context.ts'
import { ActionForm, textIn } from '../action-form.tsx'

/** The groups that people have created. */
export function Groups() {
  const session = useSession()
  const state = session.read('groups', 'users', 'organization')
  const groups = userGroups(session)
  const closed = state.realm_user_groups.filter(({ deactivated }) => deactivated)
  return (
    <>
      <p class="quiet">{pageTexts.groups.intro}</p>
      {hasPermission(state, 'realm_can_create_groups') && (
        <Disclosure label={pageTexts.groups.new}>{(close) => <NewGroup onDone={close} />}</Disclosure>
      )}
      <ul class="settings-list">
        {groups.map(({ id, name, description, members }) => (
          <li key={id}>
            <a class="name" href={`#settings/groups/${id}`}>
              {name}
              <span class="quiet small">{description}</span>
            </a>
            <span class="quiet small">{pageTexts.people.count(members.length)}</span>
          </li>
        ))}
      </ul>
      {groups.length === 0 && <p class="quiet">{pageTexts.groups.empty}</p>}
      {closed.length > 0 && (
        <>
          <h3>{pageTexts.common.deactivated}</h3>
          <ul class="settings-list">
            {closed.map(({ id, name }) => (
              <li key={id} class="quiet">
                <span class="name">{name}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

function NewGroup({ onDone }: { onDone(): void }) {
  const session = useSession()
  const members = useSignal<readonly number[]>([session.state.user_id])
  const create = async (data: FormData) => {
    const { group_id } = await session.client.createGroup({
      name: textIn(data, 'name'),
      description: textIn(data, 'description'),
      members: [...members.value],
    })
    go(`#settings/groups/${group_id}`)
  }
  return (
    <ActionForm action={pageTexts.groups.create} run={create} onCancel={onDone}>
      <label>
        {pageTexts.common.name}
        <input name="name" required maxLength={100} autocomplete="off" />
      </label>
      <label>
        {pageTexts.common.description}
        <input name="description" maxLength={1024} autocomplete="off" />
      </label>
      <div>
        <span class="field-label">{pageTexts.groups.members}</span>
        <PeopleInput
          label={pageTexts.groups.members}
          placeholder={pageTexts.common.addPerson}
          user_ids={members.value}
          onChange={(ids) => (members.value = ids)}
        />
      </div>
    </ActionForm>
  )
}
