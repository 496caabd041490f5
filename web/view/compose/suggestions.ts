/** Loaded when somebody writes. */

export { suggest } from '../../model/writing/typeahead.ts'
export { TypeaheadList } from './typeahead-list.tsx'
