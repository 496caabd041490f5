import { useSignal } from '@preact/signals'
import type { Person } from '../../../model/reading/people.ts'
import { Avatar } from '../../parts/avatar.tsx'
import { confirm } from '../../parts/confirm.tsx'
import { useSession } from '../../session-context.ts'
import { SaveState, useSaving } from '../field.tsx'
import { OWNER, roleName, roles } from '../roles.ts'
import { UserSettings } from './user-settings.tsx'

/** One account, with what the reader may do to it: owners are changed by owners only. */
export function UserRow({ person }: { person: Person }) {
  const session = useSession()
  const { is_owner } = session.read('users')
  const { user_id, full_name, delivery_email, email, role, is_active, is_bot } = person
  const { problem, saved, run } = useSaving((work: () => Promise<unknown>) => work())
  const { client } = session
  const isOpen = useSignal(false)
  const mayChange = is_owner || role !== OWNER
  const offered = roles.filter(([value]) => is_owner || value !== OWNER)
  const deactivate = () =>
    confirm({
      title: `Deactivate ${full_name}?`,
      text: 'They are signed out at once and cannot sign in again, and neither can their bots. Their messages stay. You can reactivate the account.',
      action: 'Deactivate',
      run: () => client.deactivateUser({ user_id }),
    })
  return (
    <li>
      <Avatar user_id={user_id} size={28} />
      <span class="name">
        {full_name}
        <span class="quiet small">{delivery_email ?? email}</span>
        <SaveState problem={problem.value} saved={saved.value} />
      </span>
      {is_bot || !is_active || !mayChange ? (
        <span class="quiet small">{is_bot ? 'Bot' : roleName(role)}</span>
      ) : (
        <select
          aria-label={`Role of ${full_name}`}
          value={String(role)}
          onChange={(event) => {
            const chosen = Number(event.currentTarget.value)
            run(() => client.updateUser({ user_id, role: chosen }))
          }}
        >
          {offered.map(([value, name]) => (
            <option key={value} value={String(value)}>
              {name}
            </option>
          ))}
        </select>
      )}
      {mayChange && is_active && !is_bot && (
        <button
          type="button"
          aria-expanded={isOpen.value}
          aria-label={`Change ${full_name}`}
          onClick={() => (isOpen.value = !isOpen.value)}
        >
          Change
        </button>
      )}
      {mayChange &&
        (is_active ? (
          <button type="button" aria-label={`Deactivate ${full_name}`} onClick={deactivate}>
            Deactivate
          </button>
        ) : (
          <button
            type="button"
            aria-label={`Reactivate ${full_name}`}
            onClick={() => run(() => client.reactivateUser({ user_id }))}
          >
            Reactivate
          </button>
        ))}
      {isOpen.value && <UserSettings person={person} />}
    </li>
  )
}
