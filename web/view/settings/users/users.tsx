import { useSignal } from '@preact/signals'
import type { Person } from '../../../model/reading/people.ts'
import { best, folded } from '../../../model/writing/matching.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { Filter } from '../../lists/filter.tsx'
import { Disclosure } from '../../parts/disclosure.tsx'
import { useSession } from '../../session-context.ts'
import { NewUser } from './new-user.tsx'
import { UserRow } from './user-row.tsx'

const MOST = 200

/** All accounts, with roles and status. */
export function Users() {
  const { realm_users, realm_non_active_users } = useSession().read('users')
  const query = useSignal('')
  const words = folded(query.value.trim())
  const collator = new Intl.Collator()
  const matching = (people: readonly Person[]) =>
    words === ''
      ? [...people].sort((a, b) => collator.compare(a.full_name, b.full_name)).slice(0, MOST)
      : best(people, words, ({ full_name }) => full_name, MOST)
  /** Empty while they are loading. */
  const everybody = realm_users.length + realm_non_active_users.length
  const active = matching(realm_users)
  const closed = matching(realm_non_active_users)
  return (
    <>
      <Disclosure label={pageTexts.users.add}>{(close) => <NewUser onDone={close} />}</Disclosure>
      <Filter label={pageTexts.users.find} total={everybody} query={query} />
      <ul class="settings-list">
        {active.map((person) => (
          <UserRow key={person.user_id} person={person} />
        ))}
      </ul>
      {closed.length > 0 && (
        <>
          <h3>{pageTexts.common.deactivated}</h3>
          <ul class="settings-list">
            {closed.map((person) => (
              <UserRow key={person.user_id} person={person} />
            ))}
          </ul>
        </>
      )}
      {everybody > 0 && active.length + closed.length === 0 && <p class="quiet">{pageTexts.users.noMatch}</p>}
    </>
  )
}
