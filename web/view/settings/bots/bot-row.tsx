import { useSignal } from '@preact/signals'
import { nameOf } from '../../../model/reading/people.ts'
import { isolated } from '../../../model/state/isolated.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { Avatar } from '../../parts/avatar.tsx'
import { confirm } from '../../parts/confirm.tsx'
import { useSession } from '../../session-context.ts'
import { ChangeButton } from '../change-button.tsx'
import { type Bot, botKinds } from './bot-kinds.ts'
import { BotSettings } from './bot-settings.tsx'
import { showKey } from './new-bot.tsx'

/** A bot, with the actions of its owner and administrators. */
export function BotRow({ bot }: { bot: Bot }) {
  const session = useSession()
  const { client } = session
  const isOpen = useSignal(false)
  // The state changes in place, so a component that gets it as a property names the parts it depends on.
  session.read('users')
  const { user_id, full_name, email, bot_type, bot_owner_id: owner_id } = bot
  const isOwn = owner_id === session.state.user_id
  const newKey = () =>
    confirm({
      title: pageTexts.bots.newKeyTitle(isolated(full_name)),
      text: pageTexts.bots.newKeyText,
      action: pageTexts.bots.newKeyAction,
      run: async () => showKey(full_name, (await client.regenerateBotKey({ bot_id: user_id })).api_key),
    })
  const deactivate = () =>
    confirm({
      title: pageTexts.bots.deactivateTitle(isolated(full_name)),
      text: pageTexts.bots.deactivateText,
      action: pageTexts.common.deactivate,
      run: () => client.deactivateBot({ bot_id: user_id }),
    })
  return (
    <li class="bot">
      <Avatar user_id={user_id} size={28} />
      <span class="name">
        {full_name}
        <span class="quiet small">{email}</span>
        <span class="quiet small">
          {botKinds.find(([type]) => type === bot_type)?.[1]}
          {!isOwn && owner_id != null && pageTexts.bots.ownedBy(isolated(nameOf(session, owner_id)))}
        </span>
      </span>
      <ChangeButton name={full_name} isOpen={isOpen} />
      <button type="button" aria-label={pageTexts.bots.newKeyFor(full_name)} onClick={newKey}>
        {pageTexts.bots.newKey}
      </button>
      <button type="button" aria-label={pageTexts.common.deactivateName(full_name)} onClick={deactivate}>
        {pageTexts.common.deactivate}
      </button>
      {isOpen.value && <BotSettings bot={bot} />}
    </li>
  )
}
