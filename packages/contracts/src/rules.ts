/**
 * Numbers of business rules that descriptions also mention. Services and descriptions import them from here, so they
 * cannot differ. Units are the last word of each name.
 */

/** The currency of the menu and of accounts, unless the services' settings say another one [ISO 4217]. */
export const defaultCurrency = 'BRL';

/** In which the restaurant writes its menu; its apps have the same. */
export const languages = ['en', 'pt-BR'] as const;
export type Language = (typeof languages)[number];
/** In which the menu is written while no manager has said another one. */
export const defaultLanguage: Language = 'pt-BR';

/**
 * What a manager can stop for everybody, besides ordering. `transfers`: whatever moves money between accounts, also
 * payments of bills by account, refunds and deposits. `sign_ups`: registrations of customers.
 */
export const stopNames = ['transfers', 'sign_ups'] as const;

/** Of one dish in a line of an order. */
export const maxQuantity = 99;
/** Items of one seating that may be open (neither delivered nor cancelled) at the same time. */
export const maxOpenItemsPerSeating = 100;
/** New calls of one seating in a minute. */
export const maxCallsPerMinute = 6;
/** How long a delivered order may go back to `ready`. */
export const undoDeliveryMinutes = 15;
/** How long whoever recorded a payment may give it back without a manager. */
export const ownRefundMinutes = 5;

/** How a station of the kitchen works that no manager has set: taps per ticket, and when its tickets are late. */
export const defaultStation = { bumps: 3, amber_minutes: 5, late_minutes: 8 };

/** How often a screen of the kitchen reports that it is on. */
export const screenReportSeconds = 60;
/** So many screens of one user are kept: more than a restaurant has, of which all may be signed in with one account. */
export const maxScreensOfUser = 50;

/** Pictures of these types may be uploaded, and are decoded. */
export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/avif'] as const;
/**
 * Pictures of dishes that managers upload. They are stored as wide as the two `widths`, in pixels. A phone's photograph has 12 to
 * 25 megapixels.
 */
export const menuPictures = {
  maxMegabytes: 10,
  maxMegapixels: 25,
  /** To decode an AVIF needs up to 26 bytes a pixel, four times as many as any other. */
  maxAvifMegapixels: 9,
  /** A progressive JPEG usually has ten. */
  maxScans: 100,
  widths: { small: 400, large: 1200 },
  /** So many are stored in all. */
  max: 1000,
  /** So many are kept that no dish shows, those that were uploaded last. */
  maxUnused: 50,
} as const;

export const accessTokenMinutes = 15;
export const guestAccessTokenMinutes = 5;
/** How long a used refresh token is accepted again, because its response may have been lost. */
export const refreshRetrySeconds = 60;
export const minPasswordCharacters = 8;
/** Bytes in UTF-8 that bcrypt reads. */
export const maxPasswordBytes = 72;

/** Wrong PINs in a row that block the PIN. */
export const maxPinAttempts = 3;
export const pinBlockMinutes = 30;
/** How long the link of an invitation works. */
export const invitationHours = 72;
/** How old a sign-in may be when a PIN is created. */
export const recentSignInMinutes = 15;
export const resetApprovalMinutes = 15;
/** After another user has set the password, the PIN cannot be reset for this long. */
export const resetDelayHours = 24;
export const stepUpTokenSeconds = 120;

/** How long a sign-in on a shared tablet lasts: a shift. */
export const tabletSessionHours = 12;
/** Wrong tablet PINs of one person on one tablet, after which they wait. */
export const maxTabletPinAttempts = 5;
export const tabletPinBlockMinutes = 15;
/** Wrong ones in a row, after which the person must set another tablet PIN to sign in there. */
export const maxTabletPinFailures = 20;
/** Wrong ones on one tablet in an hour, whoever's name was chosen. */
export const maxTabletFailuresPerHour = 40;
/** What one call between services may spend: step-up tokens, and how large its body may be. Each takes 1 to 2 KB. */
export const stepUpLists = { maxTokens: 64, maxKilobytes: 128 } as const;
/** How long the audit trail and security events are kept. */
export const auditDays = 180;

/** Of a body in JSON, unless the contract says otherwise. */
export const maxBodyKilobytes = 32;
/** Nesting of objects and arrays in a body. */
export const maxJsonDepth = 32;
/** How long the response to an idempotency key is kept at least. */
export const idempotencyKeyHours = 24;
