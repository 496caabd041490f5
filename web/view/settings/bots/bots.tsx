import { hasPermission } from '../../../../src/client/index.ts'
import { compareNames } from '../../../model/state/compare-names.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { Disclosure } from '../../parts/disclosure.tsx'
import { useSession } from '../../session-context.ts'
import { withAccount } from './bot-kinds.ts'
import { BotRow } from './bot-row.tsx'
import { NewBot } from './new-bot.tsx'

/** The reader's own bots, or all of them for administrators. */
export function Bots() {
  const session = useSession()
  const state = session.read('users', 'groups', 'organization')
  const active = state.realm_bots
    .flatMap((bot) => withAccount(bot, state.realm_users) ?? [])
    .sort((a, b) => compareNames(a.full_name, b.full_name))
  const own = active.filter(({ bot_owner_id }) => bot_owner_id === state.user_id)
  const others = active.filter(({ bot_owner_id }) => bot_owner_id !== state.user_id)
  const mayCreateAny = hasPermission(state, 'realm_can_create_bots_group')
  const mayCreate = mayCreateAny || hasPermission(state, 'realm_can_create_write_only_bots_group')
  return (
    <>
      <p class="quiet">{pageTexts.bots.intro}</p>
      {mayCreate && (
        <Disclosure label={pageTexts.bots.new}>
          {(close) => <NewBot onlyWriting={!mayCreateAny} onDone={close} />}
        </Disclosure>
      )}
      <h3>{pageTexts.bots.yours}</h3>
      {own.length === 0 && <p class="quiet">{pageTexts.bots.empty}</p>}
      <ul class="settings-list">
        {own.map((bot) => (
          <BotRow key={bot.user_id} bot={bot} />
        ))}
      </ul>
      {state.is_admin && others.length > 0 && (
        <>
          <h3>{pageTexts.bots.others}</h3>
          <ul class="settings-list">
            {others.map((bot) => (
              <BotRow key={bot.user_id} bot={bot} />
            ))}
          </ul>
        </>
      )}
    </>
  )
}
