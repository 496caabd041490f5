import { useSignal } from '@preact/signals'
import { membersOf } from '../../model/reading/groups.ts'
import { permissionChoices, permissionRules } from '../../model/reading/permission-choices.ts'
import { narrowAddress } from '../../model/state/address.ts'
import { go } from '../../model/state/route.ts'
import { pageTexts } from '../../texts/page-texts.ts'
import { PeopleInput } from '../compose/people-input.tsx'
import { useSession } from '../session-context.ts'
import { ActionForm, textIn } from '../settings/action-form.tsx'
import { AddGroup } from './add-group.tsx'
import { Visibility, visibilityIn } from './visibility.tsx'

/** A form that creates a stream and opens it. The stream's own page has its other settings. */
export function NewStream({ onDone }: { onDone(): void }) {
  const session = useSession()
  const { client } = session
  const state = session.read('organization', 'groups', 'streams', 'users')
  const people = useSignal<readonly number[]>([state.user_id])
  const create = async (data: FormData) => {
    const name = textIn(data, 'name')
    const present = state.streams.find((one) => one.name.toLowerCase() === name.toLowerCase())
    if (present) throw new Error(pageTexts.channel.nameTaken(present.name))
    if (people.value.length === 0) throw new Error(pageTexts.channel.needsMember)
    await client.subscribe({
      subscriptions: [{ name, description: textIn(data, 'description') }],
      principals: [...people.value],
      ...visibilityIn(data),
      can_send_message_group: Number(data.get('writers')),
      announce: data.get('announce') === 'on',
      is_default_stream: data.get('default') === 'on',
    })
    onDone()
    if (!people.value.includes(state.user_id)) return
    const { stream_id } = await client.getStreamId({ stream: name })
    go(narrowAddress([{ operator: 'channel', operand: stream_id }], undefined, () => name))
  }
  const addGroup = (id: number) => {
    people.value = [...new Set([...people.value, ...membersOf(state, id)])]
  }
  const rules = permissionRules(session, 'stream', 'can_send_message_group')!
  return (
    <ActionForm action={pageTexts.channel.create} run={create} onCancel={onDone}>
      <label>
        {pageTexts.common.name}
        <input name="name" required maxLength={state.max_stream_name_length} autocomplete="off" />
      </label>
      <label>
        {pageTexts.common.description}
        <input name="description" maxLength={state.max_stream_description_length} autocomplete="off" />
      </label>
      <Visibility />
      <label>
        {pageTexts.channel.posters}
        <select name="writers">
          {permissionChoices(session, rules).map(([id, label]) => (
            <option key={id} value={String(id)}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <div class="member-set">
        <span class="field-label">{pageTexts.channel.members}</span>
        <PeopleInput
          label={pageTexts.channel.members}
          placeholder={pageTexts.common.addPerson}
          user_ids={people.value}
          onChange={(ids) => (people.value = ids)}
        />
        <AddGroup onAdd={addGroup} />
      </div>
      {state.realm_new_stream_announcements_stream_id !== -1 && (
        <label class="choice">
          <input type="checkbox" name="announce" defaultChecked />
          {pageTexts.channel.announce}
        </label>
      )}
      {state.is_admin && (
        <label class="choice">
          <input type="checkbox" name="default" />
          {pageTexts.channel.forNewMembers}
        </label>
      )}
    </ActionForm>
  )
}
