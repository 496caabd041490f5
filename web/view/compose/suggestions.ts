/** Loaded when somebody writes. */

export { suggest } from '../../model/writing/typeahead.ts'
export { chooseByKey } from '../parts/choose-by-key.ts'
export { TypeaheadList } from './typeahead-list.tsx'
