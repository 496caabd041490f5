import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Session } from '../model/state/session.ts'

const SessionContext = createContext<Session | undefined>(undefined)
export const SessionProvider = SessionContext.Provider

/** The account that is shown. */
export const useSession = (): Session => useContext(SessionContext)!
