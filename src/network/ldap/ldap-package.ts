/** Loads the optional package. Fails with `ERR_MODULE_NOT_FOUND` if it is not installed. */
const importLdapts = () => import('ldapts')

/**
 * Loads the package for LDAP.
 *
 * @throws Error that names the package if it is not installed
 */
export const loadLdapts = () =>
  importLdapts().catch((error) => {
    if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new Error('Sign-in with LDAP needs the package ldapts. Install it with: npm install ldapts')
  })
