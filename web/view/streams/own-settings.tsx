import type { ClientState } from '../../../src/client/index.ts'
import { pageTexts } from '../../texts/page-texts.ts'
import { useSession } from '../session-context.ts'
import { ColorField } from '../settings/color-field.tsx'
import { SettingCards } from '../settings/setting-cards.tsx'
import { SettingField } from '../settings/setting-field.tsx'
import { type SubscriptionSettingName, subscriptionTable } from './stream-table.ts'

type Subscription = ClientState['subscriptions'][number]

/** The settings with the values yes, no, or default. */
const asElsewhere = { yes: true, no: false } as const

/** The reader's own settings of a stream. */
export function OwnSettings({ subscription }: { subscription: Subscription }) {
  const session = useSession()
  // The state changes in place, so a component that gets it as a property names the parts it depends on.
  session.read('streams')
  const { stream_id } = subscription
  const save = (property: SubscriptionSettingName, value: unknown) =>
    session.client.updateProperties({ subscription_data: [{ stream_id, property, value: value as boolean | string }] })
  return (
    <section aria-label={pageTexts.channel.personal}>
      <SettingCards<(typeof subscriptionTable)[number]> settings={subscriptionTable}>
        {(setting) => {
          const { name, kind, label, about } = setting
          const value = subscription[name]
          if (name === 'color')
            return (
              <ColorField
                key={name}
                label={label}
                about={about}
                value={subscription.color}
                save={(color) => save(name, color)}
              />
            )
          if (kind === 'check')
            return <SettingField key={name} setting={setting} value={value} save={(now) => save(name, now)} />
          const shown = value === null ? '' : value ? 'yes' : 'no'
          return (
            <SettingField
              key={name}
              setting={setting}
              value={shown}
              save={(now) => save(name, asElsewhere[now as 'yes' | 'no'] ?? null)}
            />
          )
        }}
      </SettingCards>
    </section>
  )
}
