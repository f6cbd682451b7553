/*
 * A licence.
 */

/**
 * Tricky sources.
 *
 * <p>For tests.
 */
@NonNullApi
package com.x.tricky;

import org.springframework.lang.NonNullApi;
