/** Loads the optional package. Fails with `ERR_MODULE_NOT_FOUND` if it is not installed. */
const importOpenid = () => import('openid-client')

/**
 * Loads the package for OpenID Connect.
 *
 * @throws Error that names the package if it is not installed
 */
export const loadOpenid = () =>
  importOpenid().catch((error) => {
    if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new Error(
      'Sign-on with OpenID Connect needs the package openid-client. Install it with: npm install openid-client',
    )
  })
