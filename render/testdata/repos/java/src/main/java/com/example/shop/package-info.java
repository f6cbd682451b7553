/** Adds up what a <b>customer</b> wants to buy. */
package com.example.shop;
