/**
 * Numbers of the business rules. Services and API descriptions import them from here, so they cannot differ. Each name
 * ends with its unit.
 */

/** The default currency of the menu and of accounts [ISO 4217]. */
export const defaultCurrency = 'BRL';

/** The languages that a restaurant can write its menu in. The apps have the same. */
export const languages = ['en', 'pt-BR'] as const;
export type Language = (typeof languages)[number];
/** The language of the menu until a manager sets another one. */
export const defaultLanguage: Language = 'pt-BR';

/**
 * Functions that a manager can stop for all users, besides ordering. `transfers`: everything that moves money between
 * accounts, including payments of bills by account, refunds and deposits. `sign_ups`: registrations of customers.
 */
export const stopNames = ['transfers', 'sign_ups'] as const;

/** The highest quantity of one dish in one line of an order. */
export const maxQuantity = 99;
/** The most items of one seating that may be open (neither delivered nor cancelled) at the same time. */
export const maxOpenItemsPerSeating = 100;
/** The most new calls of one seating in a minute. */
export const maxCallsPerMinute = 6;
/** How long a delivered order may go back to `ready`. */
export const undoDeliveryMinutes = 15;
/** How long staff may refund a payment that they recorded, without a manager. */
export const ownRefundMinutes = 5;

/** How a station of the kitchen works until a manager changes it: taps per ticket, and when its tickets are late. */
export const defaultStation = { bumps: 3, amber_minutes: 5, late_minutes: 8 };

/** How often a kitchen screen reports that it is on. */
export const screenReportSeconds = 60;
/** How many screens are kept per user: more than a restaurant has, in case all are signed in with one account. */
export const maxScreensOfUser = 50;

/** The image types that managers may upload and that are decoded. */
export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/avif'] as const;
/**
 * Limits of the pictures of dishes that managers upload. They are stored in the two `widths`, in pixels. A phone's
 * photo has 12 to 25 megapixels.
 */
export const menuPictures = {
  maxMegabytes: 10,
  maxMegapixels: 25,
  /** Lower, because decoding an AVIF takes up to 26 bytes a pixel, four times as much as other types. */
  maxAvifMegapixels: 9,
  /** The most scans of a progressive JPEG, which usually has ten. */
  maxScans: 100,
  widths: { small: 400, large: 1200 },
  /** How many pictures are stored in all. */
  max: 1000,
  /** How many pictures that no dish uses are kept: the newest. */
  maxUnused: 50,
} as const;

export const accessTokenMinutes = 15;
export const guestAccessTokenMinutes = 5;
/** How long a used refresh token is accepted again, because its response may have been lost. */
export const refreshRetrySeconds = 60;
export const minPasswordCharacters = 8;
/** The number of bytes in UTF-8 that bcrypt reads. */
export const maxPasswordBytes = 72;

/** The number of wrong PINs in a row that blocks the PIN. */
export const maxPinAttempts = 3;
export const pinBlockMinutes = 30;
/** How long an invitation link works. */
export const invitationHours = 72;
/** How recent a sign-in must be to create a PIN. */
export const recentSignInMinutes = 15;
export const resetApprovalMinutes = 15;
/** How long the PIN cannot be reset after another user has set the password. */
export const resetDelayHours = 24;
export const stepUpTokenSeconds = 120;

/** How long a sign-in on a shared tablet lasts: a shift. */
export const tabletSessionHours = 12;
/** The number of wrong tablet PINs of one person on one tablet after which they must wait. */
export const maxTabletPinAttempts = 5;
export const tabletPinBlockMinutes = 15;
/** The number of wrong PINs in a row after which a person must set a new tablet PIN to sign in on that tablet. */
export const maxTabletPinFailures = 20;
/** The most wrong PINs on one tablet in an hour, for all people together. */
export const maxTabletFailuresPerHour = 40;
/**
 * The most step-up tokens that one call between services may spend, and the size of its body. Each token takes 1 to 2
 * KB.
 */
export const stepUpLists = { maxTokens: 64, maxKilobytes: 128 } as const;
/** How long the audit trail and security events are kept. */
export const auditDays = 180;

/** The default size limit of a JSON body. */
export const maxBodyKilobytes = 32;
/** The deepest nesting of objects and arrays in a body. */
export const maxJsonDepth = 32;
/** How long the response to an idempotency key is kept, at least. */
export const idempotencyKeyHours = 24;
