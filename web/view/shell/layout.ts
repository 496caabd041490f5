import { signal } from '@preact/signals'
import { browserStorage } from '../../model/persistence/browser-storage.ts'

const PEOPLE = 'hide-people'
const LIST = 'hide-list'
/** Where there is no room for a third column, as the stylesheet has it. */
const NARROW = '(max-width: 65.625em)'
const PHONE = '(max-width: 43.75em)'
const people = signal(browserStorage().getItem(PEOPLE) === null)
const list = signal(browserStorage().getItem(LIST) === null)
/** Whether the account wants the people below the conversations where there is no third column. */
const peopleAtLeft = signal(false)
/** Which list is open over the page where there is no room for it beside. */
const drawer = signal<'left' | 'people' | ''>('')

/** Whether the people have a place beside the page, and not over it. */
const havePlace = (): boolean =>
  !matchMedia(NARROW).matches || (peopleAtLeft.value && list.value && !matchMedia(PHONE).matches)

function remember(name: string, isShown: boolean): void {
  if (isShown) browserStorage().removeItem(name)
  else browserStorage().setItem(name, 'yes')
}

/** What of the page's columns is shown. */
export const layout = {
  people,
  /** The conversations at the left. On a phone they are a drawer. */
  list,
  peopleAtLeft,
  drawer,
  isPeopleShown: (): boolean => (havePlace() ? people.value : drawer.value === 'people'),
  togglePeople(): void {
    if (!havePlace()) {
      layout.toggleDrawer('people')
      return
    }
    people.value = !people.value
    remember(PEOPLE, people.value)
  },
  toggleList(): void {
    list.value = !list.value
    remember(LIST, list.value)
  },
  toggleDrawer(which: 'left' | 'people'): void {
    if (which === 'people') people.value = true
    drawer.value = drawer.value === which ? '' : which
  },
  closeDrawer(): void {
    drawer.value = ''
  },
}
