import { useSession } from '../session-context.ts'
import { dateAndTime, fullTime } from './times.ts'

/** A date and a time on one line, such as "Thu, Nov 26, 14:05"; in full on hover. */
export function Moment({ seconds }: { seconds: number }) {
  const hours24 = useSession().read('settings').user_settings.twenty_four_hour_time
  const date = new Date(seconds * 1000)
  return (
    <time class="moment" dateTime={date.toISOString()} title={fullTime(date)}>
      {dateAndTime(date, hours24)}
    </time>
  )
}
