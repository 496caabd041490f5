import { signal } from '@preact/signals'

const PEOPLE = 'hide-people'
/** Where there is no room for a third column, as the stylesheet has it. */
const NARROW = '(max-width: 1050px)'
const people = signal(localStorage.getItem(PEOPLE) === null)
/** Which list is open over the page where there is no room for it beside. */
const drawer = signal<'left' | 'people' | ''>('')

/** What of the page's columns is shown. */
export const layout = {
  people,
  drawer,
  togglePeople(): void {
    if (matchMedia(NARROW).matches) {
      layout.toggleDrawer('people')
      return
    }
    people.value = !people.value
    if (people.value) localStorage.removeItem(PEOPLE)
    else localStorage.setItem(PEOPLE, 'yes')
  },
  toggleDrawer(which: 'left' | 'people'): void {
    if (which === 'people') people.value = true
    drawer.value = drawer.value === which ? '' : which
  },
  closeDrawer(): void {
    drawer.value = ''
  },
}
